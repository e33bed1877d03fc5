import { render } from "preact";
import { fragment } from "../shared/link";
import { EvidencePage } from "./page";
import "../shared/base.css";
import "../shared/felt.css";
import "./evidence.css";
import "./round.css";

const place = document.getElementById("app");
if (place) {
  const parts = fragment(location.hash);
  render(<EvidencePage token={parts.get("token") ?? ""} table={parts.get("table") ?? ""} />, place);
  // Another fragment is another person.
  window.addEventListener("hashchange", () => location.reload());
}
