import { LinkButton } from "./link-button.tsx";
import { Notice } from "./notice.tsx";

/** What an address without a page shows. */
export function NotFoundPage() {
  return (
    <Notice
      title="This page does not exist"
      text="The link may be old, or a letter went missing in the address."
    >
      <LinkButton to="/">Go to the home page</LinkButton>
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    </Notice>
  );
}
