import { toRupees } from "#shared/money.ts";
import { mapKinds, namesByField } from "#shared/options.ts";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { orderValueOf, priceJob, type Selection } from "#shared/pricing.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { pdfOfPages } from "./pdfs.ts";
import { expectDone } from "./shops.ts";

export const ADDRESS = {
  country: "India, Jalandhar",
  roadNo: "G.T. Road 12",
  flatno: "Hostel 4, room 210",
  fullname: "Asha Verma",
};

/** Uploads a PDF with this many pages and returns its URL. */
export async function uploadPages(visitor: ApiClient, pages: number): Promise<string> {
  const answer = await visitor.upload(await pdfOfPages(pages));
  if (answer.status !== 200)
    throw new Error(`Upload answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.secure_url;
}

export async function getShop(visitor: ApiClient, shopId: string): Promise<Shop> {
  return (await visitor.get(`/api/v1/prints/shopdata?id=${shopId}`)).body.data;
}

interface OrderWishes {
  shopId: string;
  pages?: number;
  /** The pages of each file, where there are several; otherwise those of the order. */
  pagesOfEach?: number[] | undefined;
  copies?: number;
  filesUrl?: string[];
  /** Left out: the server decides. */
  fulfilment?: ChosenFulfilment | undefined;
}

/** A valid order for the first option of each list of the shop, with a newly uploaded file unless one is given. */
export async function orderFor(visitor: ApiClient, wishes: OrderWishes): Promise<PlaceOrderRequest> {
  const { shopId, pages = 3, pagesOfEach, copies = 2, fulfilment } = wishes;
  const shop = await getShop(visitor, shopId);
  const filesUrl = wishes.filesUrl ?? [await uploadPages(visitor, pages)];
  return orderAt(shop, { pages, pagesOfEach, copies, filesUrl, fulfilment });
}

type JobWishes = Required<Pick<OrderWishes, "pages" | "copies" | "filesUrl">> &
  Pick<OrderWishes, "fulfilment" | "pagesOfEach">;

/** The order of these files at this shop, for the first option of each of its lists. */
export function orderAt(
  shop: Shop,
  { pages, pagesOfEach = [pages], copies, filesUrl, fulfilment }: JobWishes,
): PlaceOrderRequest {
  const options = mapKinds((kind) => shop[kind][0]) as Selection;
  const quote = priceJob({ pages: pagesOfEach, copies, options, fulfilment });
  return {
    orderData: {
      shopName: shop.shopName,
      shopLocation: shop.shopLocation,
      shopEmail: shop.email,
      shopContactNumber: shop.contactNumber,
      noOfPages: pages,
      noOfCopies: copies,
      ...namesByField(options),
      message: "Please staple at the top left",
      userEmail: "asha@college.example",
      filesUrl,
      subTotal: toRupees(quote.subTotalPaise),
    },
    orderValue: orderValueOf(quote),
    ...(fulfilment && { fulfilment }),
  };
}

/** The order as staff see it. */
export async function seenByStaff(staff: ApiClient, orderId: string) {
  return expectDone(await staff.query("board.order", { orderId }));
}

/** The order as the student sees it. */
export async function seenByStudent(visitor: ApiClient, orderId: string) {
  return expectDone(await visitor.query("orders.one", { orderId }));
}
