import { LinkButton } from "#client/ui/link-button.tsx";

interface BackToOptionsProps {
  shopId: string | undefined;
  onClick?: () => void;
  children: string;
}

/** A link back to the order's files and options, or to all shops if the shop is not known. */
export function BackToOptions({ shopId, onClick, children }: BackToOptionsProps) {
  if (!shopId) {
    return (
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    );
  }
  return (
    <LinkButton to="/printnow" search={{ id: shopId }} variant="default" onClick={onClick}>
      {children}
    </LinkButton>
  );
}
