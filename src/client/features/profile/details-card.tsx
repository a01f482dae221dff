import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { Card } from "../print/card.tsx";
import classes from "./details-card.module.css";
import { NameForm } from "./name-form.tsx";
import { PhoneChange } from "./phone-change.tsx";

/** Who the person is to the store and to the shops that print for them. */
export function DetailsCard({ user }: { user: CurrentUser }) {
  return (
    <Card title="Your details">
      <div className={classes.part}>
        <NameForm user={user} />
      </div>
      <div className={classes.part}>
        <p className={classes.label}>Email</p>
        <p className={classes.value}>{user.email}</p>
        <p className={classes.note}>Codes and all mails about your orders go there.</p>
      </div>
      <div className={classes.part}>
        <PhoneChange user={user} />
      </div>
    </Card>
  );
}
