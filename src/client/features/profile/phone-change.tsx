import { Button } from "@mantine/core";
import { useState } from "react";
import { useSetUser } from "#client/lib/session.ts";
import { FormStatus } from "#client/ui/form-status.tsx";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import classes from "./details-card.module.css";
import { NewPhoneForm } from "./new-phone-form.tsx";
import { PhoneCodeForm } from "./phone-code-form.tsx";
import forms from "./profile-form.module.css";

/** `left`: the change was given up or is done, and the focus goes back to where it began. */
type Step = "shown" | "number" | "code" | "left";

/** The mobile number; a new one counts once the code that is mailed for it was entered. */
export function PhoneChange({ user }: { user: CurrentUser }) {
  const [step, setStep] = useState<Step>("shown");
  const [newPhone, setNewPhone] = useState("");
  const [isChanged, setIsChanged] = useState(false);
  const setUser = useSetUser();

  function begin() {
    setIsChanged(false);
    setStep("number");
  }

  function askForCode(phone: string) {
    setNewPhone(phone);
    setStep("code");
  }

  async function finish(changed: CurrentUser) {
    setIsChanged(true);
    setStep("left");
    await setUser(changed);
  }

  return (
    <>
      <p className={classes.label}>Mobile number</p>
      <p className={classes.value}>{user.phone || "None"}</p>
      <div className={`${forms.form} ${forms.steps}`}>
        {step === "number" && <NewPhoneForm onSent={askForCode} onCancel={() => setStep("left")} />}
        {step === "code" && (
          <PhoneCodeForm
            email={user.email}
            newPhone={newPhone}
            onDone={(changed) => void finish(changed)}
            onCancel={() => setStep("left")}
          />
        )}
        {(step === "shown" || step === "left") && (
          <Button variant="default" className={forms.opener} autoFocus={step === "left"} onClick={begin}>
            Change mobile number
          </Button>
        )}
        <FormStatus message={isChanged && "Your mobile number is changed."} />
      </div>
    </>
  );
}
