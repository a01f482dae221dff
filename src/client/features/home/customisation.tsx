import type { ReactNode } from "react";
import artClasses from "../../ui/art.module.css";
import classes from "./customisation.module.css";

const CHOICES = [
  {
    Art: FileTypesArt,
    title: "Any file type",
    text: "PDF, JPG, PNG or JPEG. Photos become A4 pages for you.",
  },
  { Art: ColourArt, title: "Black and white or colour", text: "Black for the notes, colour for the slides." },
  { Art: PaperSizeArt, title: "Paper size", text: "A4 on 70 GSM, the sheet that colleges ask for." },
  { Art: OrientationArt, title: "Orientation", text: "Portrait or landscape, just as your file has it." },
];

export function Customisation() {
  return (
    <ul className={classes.choices}>
      {CHOICES.map(({ Art, title, text }) => (
        <li key={title} className={classes.choice}>
          <Art />
          <div>
            <h3 className={classes.title}>{title}</h3>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function CustomisationArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 200 120" strokeWidth="2.5" aria-hidden="true">
      {children}
    </svg>
  );
}

function FileTypesArt() {
  return (
    <CustomisationArt>
      <path className={artClasses.sheet} d="M26 34h42l12 12v54H26z" />
      <path className={artClasses.wash} d="M72 24h42l12 12v54H72z" />
      <path className={artClasses.accent} d="M118 14h42l14 14v62h-56z" />
      <text className={artClasses.text} x="33" y="70" fontSize="15">
        PDF
      </text>
      <text className={artClasses.text} x="80" y="62" fontSize="15">
        PNG
      </text>
      <text className={artClasses.onAccent} x="130" y="56" fontSize="15">
        JPG
      </text>
    </CustomisationArt>
  );
}

function ColourArt() {
  return (
    <CustomisationArt>
      <path className={artClasses.sheet} d="M62 10h76v100H62z" />
      <path className={artClasses.ink} d="M72 84l16-22 12 14V98H72z" />
      <path className={artClasses.accent} d="M100 76l14-18 14 22v18h-28z" />
      <circle className={artClasses.accent} cx="116" cy="34" r="9" />
      <path className={artClasses.line} d="M100 4v112" strokeDasharray="1 7" />
      <path className={artClasses.line} d="M72 28h16M72 40h16" />
    </CustomisationArt>
  );
}

function PaperSizeArt() {
  return (
    <CustomisationArt>
      <path className={artClasses.sheet} d="M70 12h64v90H70z" />
      <path className={artClasses.faint} d="M56 12v90M51 12h10M51 102h10M70 114h64M70 109v10M134 109v10" />
      <text className={artClasses.text} x="85" y="68" fontSize="28">
        A4
      </text>
    </CustomisationArt>
  );
}

function OrientationArt() {
  return (
    <CustomisationArt>
      <path className={artClasses.sheet} d="M34 14h58v84H34z" />
      <path className={artClasses.line} d="M46 34h34M46 48h34M46 62h22" />
      <path className={artClasses.wash} d="M84 52h84v54H84z" />
      <path className={artClasses.line} d="M98 70h56M98 84h36" />
    </CustomisationArt>
  );
}
