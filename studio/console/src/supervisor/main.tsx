import { render } from "preact";
import { Notice } from "../shared/chrome";
import { common } from "../shared/catalog";
import { parseLink } from "../shared/link";
import { SupervisorPanel } from "./panel";
import "../shared/base.css";
import "../shared/felt.css";
import "./supervisor.css";
import "./wizard.css";
import "./beside.css";

const place = document.getElementById("app");
if (place) {
  const link = parseLink(location.hash);
  render(link ? <SupervisorPanel link={link} /> : <Notice title={common.noLink} detail={common.noLinkDetail} />, place);
  // Another fragment is another table or another person.
  window.addEventListener("hashchange", () => location.reload());
}
