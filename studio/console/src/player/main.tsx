import { render } from "preact";
import { parseLink } from "../shared/link";
import { Terminal } from "./terminal";
import "../shared/base.css";
import "./player.css";
import "./hands.css";
import "./places.css";
import "./dock.css";
import "./panels.css";
import "./phone.css";

const place = document.getElementById("app");
if (place) {
  render(<Terminal link={parseLink(location.hash)} />, place);
  // Another fragment is another table or another person.
  window.addEventListener("hashchange", () => location.reload());
}
