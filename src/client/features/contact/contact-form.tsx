import "@mantine/core/styles/Input.layer.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useHydrated } from "@tanstack/react-router";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { contactInput } from "#shared/schemas/contact.ts";
import { trpc } from "../../lib/trpc.ts";
import { useTypedEarly } from "../../lib/use-typed-early.ts";
import { showError, showSuccess } from "../../ui/popup/popup.store.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./contact-form.module.css";

const EMPTY = { fullName: "", email: "", subject: "", message: "" };

export function ContactForm() {
  const form = useForm({
    name: "contact",
    initialValues: EMPTY,
    validate: schemaResolver(contactInput, { sync: true }),
  });
  const element = useTypedEarly(form);
  const hydrated = useHydrated();
  const send = trpc.contact.send.useMutation({
    onSuccess: () => {
      form.reset();
      showSuccess(SUCCESS.contactSent);
    },
    onError: () => {
      showError(FAILURE.contact);
    },
  });

  return (
    <form
      ref={element}
      method="post"
      noValidate
      className={classes.form}
      onSubmit={form.onSubmit(
        (values) => {
          if (!send.isPending) send.mutate(values);
        },
        (errors) => form.getInputNode(Object.keys(errors)[0] ?? "")?.focus(),
      )}
    >
      <TextInput
        label="Full name"
        required
        withAsterisk={false}
        size="md"
        autoComplete="name"
        name="fullName"
        {...form.getInputProps("fullName")}
      />
      <TextInput
        label="Email"
        required
        withAsterisk={false}
        size="md"
        type="email"
        autoComplete="email"
        name="email"
        {...form.getInputProps("email")}
      />
      <TextInput label="Subject (optional)" size="md" name="subject" {...form.getInputProps("subject")} />
      <Textarea
        label="Message"
        required
        withAsterisk={false}
        size="md"
        rows={6}
        name="message"
        {...form.getInputProps("message")}
      />
      <Button type="submit" size="md" disabled={!hydrated}>
        Send message
      </Button>
      <WaitOverlay active={send.isPending} />
    </form>
  );
}
