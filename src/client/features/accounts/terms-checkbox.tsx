import { Checkbox, type CheckboxProps } from "@mantine/core";
import { AccountLink } from "./account-link.tsx";

/** Opens the terms beside the form, so that nothing typed is lost. */
export function TermsCheckbox(props: CheckboxProps) {
  return (
    <Checkbox
      name="termsAccepted"
      size="md"
      label={
        <>
          I agree to the{" "}
          <AccountLink to="/terms-and-conditions" target="_blank">
            Terms and Conditions
          </AccountLink>
        </>
      }
      {...props}
    />
  );
}
