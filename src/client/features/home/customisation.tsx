import classes from "./customisation.module.css";
import { ColourArt, FileTypesArt, OrientationArt, PaperSizeArt } from "./customisation-art.tsx";

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
