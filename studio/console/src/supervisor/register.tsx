// The form that takes a new pack of cards into the table's service. What the list shows already is said before it is
// sent; the server decides all the same, and its refusal stands above the page.

import { useRef, useState } from "preact/hooks";
import { words } from "../shared/format";
import type { PackView, ShoePageView } from "../shared/shoe";
import { shoeTexts } from "./texts";

type Field = "pack" | "batch" | "back";
type Problems = Partial<Record<Field, string>>;

const FIELDS: Field[] = ["pack", "batch", "back"];
const EMPTY: Record<Field, string> = { pack: "", batch: "", back: "" };
/** As the server takes names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

interface RegisterProps {
  page: ShoePageView;
  idle: boolean;
  /** Send it; whether it was taken. */
  send: (pack: Record<Field, string>) => Promise<boolean>;
}

export function RegisterPack({ page, idle, send }: RegisterProps) {
  const [said, setSaid] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const [done, setDone] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const wrong: Problems = { ...incomplete(said), ...unlawful(said, page) };
  const shown: Problems = tried ? wrong : unlawful(said, page);
  const backs = [...new Set(page.packs.map((one) => one.back))];
  const focus = (field: Field): void => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  const submit = async (): Promise<void> => {
    setTried(true);
    const first = FIELDS.find((field) => wrong[field] !== undefined);
    if (first) return focus(first);
    if (!idle || !(await send(said))) return;
    setDone(shoeTexts.registered(said.pack));
    setSaid(EMPTY);
    setTried(false);
    focus("pack");
  };
  return (
    <form
      class="register"
      ref={form}
      noValidate
      aria-labelledby="register-title"
      data-testid="register"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h3 id="register-title">{shoeTexts.register}</h3>
      {FIELDS.map((field) => (
        <label key={field} class="register-field">
          <span>{shoeTexts.registerFields[field]}</span>
          <input
            type="text"
            name={field}
            value={said[field]}
            maxLength={32}
            required
            autoComplete="off"
            spellcheck={false}
            {...(field === "back" ? { list: "backs" } : {})}
            aria-invalid={shown[field] !== undefined}
            aria-describedby="register-problem"
            data-testid={`register-${field}`}
            onInput={(event) => {
              setDone("");
              setSaid({ ...said, [field]: event.currentTarget.value.trim() });
            }}
          />
        </label>
      ))}
      <datalist id="backs">
        {backs.map((back) => (
          <option key={back} value={back} />
        ))}
      </datalist>
      <button type="submit" data-testid="register-do" disabled={!idle}>
        {shoeTexts.registerDo}
      </button>
      <p class={`register-note ${Object.keys(shown).length > 0 ? "warn" : ""}`} id="register-problem" role="status" data-testid="register-note">
        {FIELDS.flatMap((field) => shown[field] ?? []).join(" ") || done || follows(said, page)}
      </p>
    </form>
  );
}

/** What is missing or misspelt: said once somebody wanted to send it. */
function incomplete(said: Record<Field, string>): Problems {
  const wrong = FIELDS.filter((field) => !NAME.test(said[field]));
  const say = (field: Field): string => (said[field] === "" ? shoeTexts.missingField : shoeTexts.badName)(shoeTexts.registerFields[field]);
  return Object.fromEntries(wrong.map((field) => [field, say(field)]));
}

/** What the server would refuse, as far as the list tells: said at once. */
function unlawful(said: Record<Field, string>, page: ShoePageView): Problems {
  const known = page.packs.find((one) => one.id === said.pack);
  if (known) return { pack: shoeTexts.packKnown(known.id, words(known.life).toLowerCase()) };
  const loaded = inShoe(page);
  const alike = loaded !== undefined && page.alternates && loaded.batch === said.batch && loaded.back === said.back;
  return alike ? { back: shoeTexts.packAlike(loaded.id) } : {};
}

/** What the new pack may do once it is counted. */
function follows(said: Record<Field, string>, page: ShoePageView): string {
  const loaded = inShoe(page);
  if (!loaded || !page.alternates) return shoeTexts.countedFirst;
  const same = [said.batch === loaded.batch ? shoeTexts.sameBatch : "", said.back === loaded.back ? shoeTexts.sameBack : ""].filter(Boolean);
  return same.length === 0 ? shoeTexts.countedFirst : shoeTexts.notNext(loaded.id, same.join(", "));
}

function inShoe(page: ShoePageView): PackView | undefined {
  return page.packs.find((one) => one.id === page.loaded);
}
