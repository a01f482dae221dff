import { Button } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { phoneInput } from "#shared/schemas/accounts.ts";
import { PhoneField } from "../accounts/account-fields.tsx";
import { AccountForm } from "../accounts/account-form.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { useAccountForm } from "../accounts/use-account-form.ts";

interface NewPhoneFormProps {
  /** A code to confirm this number is on its way. */
  onSent: (phone: string) => void;
  onCancel: () => void;
}

export function NewPhoneForm({ onSent, onCancel }: NewPhoneFormProps) {
  const form = useAccountForm({ name: "new-phone", schema: phoneInput, initialValues: { phone: "" } });
  const request = trpc.accounts.requestPhoneCode.useMutation({ onSuccess: ({ phone }) => onSent(phone) });
  return (
    <>
      {request.isError && <FormAlert message={messageOf(request.error)} />}
      <AccountForm
        form={form}
        submitLabel="Send code"
        busy={request.isPending}
        onSubmit={(values) => request.mutate(values)}
      >
        <PhoneField
          autoFocus
          label="New mobile number"
          description="To confirm it we send a code to your email."
          {...form.getInputProps("phone")}
        />
      </AccountForm>
      <Button variant="default" size="md" fullWidth onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
