import { LinkButton } from "#client/ui/link-button.tsx";

interface BackToOptionsProps {
  shopId: string | undefined;
  onClick?: () => void;
  children: string;
}

/** Leads back to the files and options of the order, or to the shops where it is not known which shop it was for. */
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
