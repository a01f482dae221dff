import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useRef } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import { MAX_ORDER_NOTE } from "#shared/order-limits.ts";
import { codeOf } from "#ui/errors.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { showFailure } from "../../lib/notices.tsx";
import { useShortcuts } from "../../lib/shortcuts.tsx";
import classes from "./order-notes.module.css";
import type { OrderDetail } from "./order-types.ts";
import { PanelSection } from "./panel-section.tsx";

interface OrderNotesProps {
  orderId: string;
  notes: OrderDetail["notes"];
}

/** Notes of staff about an order. */
export function OrderNotes({ orderId, notes }: OrderNotesProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const sent = useRef({ body: "", key: "" });
  const { board } = trpc.useUtils();
  const add = trpc.board.note.useMutation({
    onError: showFailure,
    onSettled: () => board.order.invalidate({ orderId }),
  });
  useShortcuts("Notes", [{ keys: "N", label: "Write a note", run: () => field.current?.focus() }]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const body = String(new FormData(form).get("body")).trim();
    if (!body) return;
    // The same text again is the same note, of which the answer was lost.
    if (sent.current.body !== body) sent.current = { body, key: randomKey() };
    add.mutate(
      { orderId, ...sent.current },
      {
        onSuccess() {
          // What was typed since is another note.
          if (field.current?.value.trim() === body) form.reset();
        },
        onSettled(_stored, error) {
          // Its key is used up: by this note, or by another one.
          if (!error || codeOf(error) === "CONFLICT") sent.current = { body: "", key: "" };
        },
      },
    );
  }

  return (
    <PanelSection title="Notes">
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map(({ id, body, by, at }) => (
            <li key={id}>
              <p>{body}</p>
              <small>
                {by}, {indianMoment(at)}
              </small>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className={classes.form}>
        <Textarea
          ref={field}
          name="body"
          aria-label="New note"
          placeholder="Only staff see notes"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={MAX_ORDER_NOTE}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          Add
        </Button>
      </form>
    </PanelSection>
  );
}
