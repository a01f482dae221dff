import { Button } from "@mantine/core";
import classes from "./again-note.module.css";
import type { Draft } from "./draft.ts";

interface AgainNoteProps {
  again: NonNullable<Draft["again"]>;
  onClose: () => void;
}

/** Says what came back of an earlier order, and what the shop no longer offers. */
export function AgainNote({ again: { number, gone }, onClose }: AgainNoteProps) {
  return (
    <section aria-label={`Order ${number} again`} className={classes.note}>
      <p>
        <strong>Filled in from order {number}.</strong> Please add your files again: those of an order are
        deleted.
      </p>
      {gone.length > 0 && (
        <>
          <p>The shop no longer offers this. Please check what is chosen instead:</p>
          <ul className={classes.gone}>
            {gone.map(({ label, name }) => (
              <li key={label}>
                {label}: {name}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button variant="default" size="compact-md" onClick={onClose}>
        OK
      </Button>
    </section>
  );
}
