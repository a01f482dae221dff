import "@mantine/core/styles/Input.layer.css";
import { Button, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { Link, useHydrated } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { contactInput } from "#shared/schemas/contact.ts";
import { attempt } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import { useEarlyInput } from "../../lib/before-hydration.ts";
import { useAuth } from "../../lib/session.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./contact-page.module.css";

/** The contact form, with the ways to reach the store beside it. */
export function ContactPage() {
  const { userData } = useAuth();
  return (
    <>
      <PageTitle lead="A question, a page that came out wrong, or a print shop of your own: write to us.">
        Contact us
      </PageTitle>
      <div className={classes.columns}>
        {/* Nobody sees what the person before them has typed. */}
        <ContactForm key={userData?._id} user={userData} />
        <aside className={classes.aside}>
          <dl>
            <dt>Location</dt>
            <dd>Phagwara, Punjab, India</dd>
            <dt>Phone</dt>
            <dd>+91 98XXX XXX10</dd>
          </dl>
          <p>
            For a reprint, report the printing error on the page of your order.{" "}
            <Link to="/refund-and-cancellation">How a reprint works</Link>
          </p>
        </aside>
      </div>
    </>
  );
}

function ContactForm({ user }: { user: CurrentUser | null }) {
  const start = { fullName: user?.fullName ?? "", email: user?.email ?? "", subject: "", message: "" };
  // It lives as long as the tab, which a phone may throw away meanwhile, and is gone at logout and at the next login. A guest's, too:
  // they read another page before they send it, and a browser shows the typed text of any form again until its tab is closed.
  const stored = `contact:${user?._id ?? ""}`;
  const [typed] = useState(() => attempt(() => JSON.parse(window.sessionStorage.getItem(stored) ?? "{}")));
  const form = useForm({
    name: "contact",
    initialValues: start,
    onValuesChange: (values) => attempt(() => window.sessionStorage.setItem(stored, JSON.stringify(values))),
    validate: schemaResolver(contactInput, { sync: true }),
  });
  const element = useEarlyInput(form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only after the input from before hydration, which is newer
  useEffect(() => {
    const early = Object.entries(form.getValues()).filter(
      ([name, text]) => text !== start[name as keyof typeof start],
    );
    form.setValues({ ...typed, ...Object.fromEntries(early) });
  }, []);
  const hydrated = useHydrated();
  const send = trpc.contact.send.useMutation({
    onSuccess: () => {
      form.reset();
      attempt(() => window.sessionStorage.removeItem(stored));
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
