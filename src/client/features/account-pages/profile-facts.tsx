import type { CurrentUser } from "#shared/schemas/accounts.ts";
import classes from "./profile-facts.module.css";

/** What the store knows of the person who is logged in. */
export function ProfileFacts({ user }: { user: CurrentUser }) {
  const facts = [
    { label: "Full name", value: user.fullName },
    { label: "Email", value: user.email },
    { label: "Mobile number", value: user.phone },
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
