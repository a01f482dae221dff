import { LinkButton } from "#client/ui/link-button.tsx";
import { Notice } from "#client/ui/notice.tsx";

/** What a recovery link shows that was used, replaced by a newer one, or is too old. */
export function DeadLink() {
  return (
    <Notice
      title="This link is no longer valid"
      text="A link to change the password works once, for 30 minutes, and a newer one replaces it."
    >
      <LinkButton to="/forgotpassword">Ask for a new link</LinkButton>
      <LinkButton to="/login" variant="default">
        Back to login
      </LinkButton>
    </Notice>
  );
}
