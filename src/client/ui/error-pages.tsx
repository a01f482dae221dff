import { Button } from "@mantine/core";
import { LinkButton } from "./link-button.tsx";
import { Notice } from "./notice.tsx";

/** Shown for an error that no page handles. */
export function CrashPage({ reset }: { reset: () => void }) {
  return (
    <Notice
      art="failed"
      title="Unexpected Application Error!"
      text="Something broke on our side. Nothing that you uploaded or ordered is lost."
    >
      <Button onClick={reset}>Try again</Button>
    </Notice>
  );
}

/** Shown for an address without a page. */
export function NotFoundPage() {
  return (
    <Notice
      art="missing"
      title="This page does not exist"
      text="The link may be outdated, or the address mistyped."
    >
      <LinkButton to="/">Go to the home page</LinkButton>
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    </Notice>
  );
}
