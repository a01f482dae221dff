import type { OrderDetail } from "./order-answers.ts";
import { Fact, Facts, PanelSection } from "./panel-section.tsx";

/** Whom it is for, how to reach them, and where it goes. */
export function OrderStudent({ order: { student, address, fulfilment } }: { order: OrderDetail }) {
  const { fullName, email, phone } = student;
  return (
    <PanelSection title="Student">
      <Facts>
        <Fact name="Name">{fullName}</Fact>
        {phone && (
          <Fact name="Phone">
            <a href={`tel:${phone}`}>{phone}</a>
          </Fact>
        )}
        <Fact name="Email">
          <a href={`mailto:${email}`}>{email}</a>
        </Fact>
        {fulfilment === "pickup" && <Fact name="Comes to">the shop, for pickup</Fact>}
        {address && (
          <Fact name="Deliver to">
            {[address.fullname, address.flatno, address.roadNo, address.country].join(", ")}
          </Fact>
        )}
      </Facts>
    </PanelSection>
  );
}
