import { render } from "preact";
import { Notice } from "../shared/chrome";
import { demoTexts } from "../shared/catalog";
import { fragment } from "../shared/link";
import { parseDemoLink } from "./control";
import { DemoPage } from "./page";
import "../shared/base.css";
import "../shared/felt.css";
import "./demo.css";

const place = document.getElementById("app");
if (place) {
  const link = parseDemoLink(fragment(location.hash));
  render(link ? <DemoPage link={link} /> : <Notice title={demoTexts.noLink} detail={demoTexts.noLinkDetail} />, place);
  window.addEventListener("hashchange", () => location.reload());
}
