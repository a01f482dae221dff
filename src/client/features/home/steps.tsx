import { CheckoutArt, CustomiseArt, UploadArt, VisitArt } from "./step-art.tsx";
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
