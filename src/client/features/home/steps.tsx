import type { ReactNode } from "react";
import artClasses from "../../ui/art.module.css";
import classes from "./steps.module.css";

const STEPS = [
  {
    Art: VisitArt,
    title: "Visit the store",
    text: "Find a print shop near your college and compare prices.",
  },
  { Art: UploadArt, title: "Upload files", text: "Add your PDFs or photos. The pages are counted for you." },
  { Art: CustomiseArt, title: "Customise", text: "Choose colour, sides, paper, cover, binding and copies." },
  { Art: CheckoutArt, title: "Checkout", text: "Give the address, check the total and place the order." },
];

export function Steps() {
  return (
    <ol className={classes.steps}>
      {STEPS.map(({ Art, title, text }, index) => (
        <li key={title} className={classes.step}>
          <Art />
          <h3 className={classes.title}>
            <span className={classes.number}>{index + 1}</span>
            {title}
          </h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

function StepArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 72 72" width="72" height="72" strokeWidth="2.5" aria-hidden="true">
      {children}
    </svg>
  );
}

function VisitArt() {
  return (
    <StepArt>
      <path className={artClasses.sheet} d="M12 32h48v30H12z" />
      <path
        className={artClasses.accent}
        d="M14 12h44l6 16a7 7 0 0 1-14 2 7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14-2z"
      />
      <path className={artClasses.line} d="M30 62V46h12v16" />
    </StepArt>
  );
}

function UploadArt() {
  return (
    <StepArt>
      <path className={artClasses.sheet} d="M18 8h26l12 12v44H18z" />
      <path className={artClasses.line} d="M44 8v12h12" />
      <circle className={artClasses.accent} cx="37" cy="43" r="13" />
      <path className={artClasses.onAccentLine} d="M37 49V37m-5 5 5-5 5 5" />
    </StepArt>
  );
}

function CustomiseArt() {
  return (
    <StepArt>
      <path className={artClasses.line} d="M10 20h52M10 36h52M10 52h52" />
      <circle className={artClasses.accent} cx="26" cy="20" r="6" />
      <circle className={artClasses.sheet} cx="46" cy="36" r="6" />
      <circle className={artClasses.accent} cx="20" cy="52" r="6" />
    </StepArt>
  );
}

function CheckoutArt() {
  return (
    <StepArt>
      <path className={artClasses.sheet} d="M10 24h52v38H10z" />
      <path className={artClasses.accent} d="M18 10h36l8 14H10z" />
      <path className={artClasses.line} d="m26 43 7 7 14-14" />
    </StepArt>
  );
}
