import { render } from "preact";
import { Notice } from "../shared/chrome";
import { common } from "../shared/catalog";
import { parseLink } from "../shared/link";
import { CameraPage } from "./page";
import "../shared/base.css";
import "../shared/felt.css";
import "./camera.css";

const place = document.getElementById("app");
if (place) {
  const link = parseLink(location.hash);
  render(link ? <CameraPage link={link} /> : <Notice title={common.noLink} detail={common.noLinkDetail} />, place);
  // Another fragment is another table or another person.
  window.addEventListener("hashchange", () => location.reload());
}
