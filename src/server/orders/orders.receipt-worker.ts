import { answerRequests } from "../worker-replies.ts";
import type { Receipt } from "./orders.receipt.ts";
import { drawReceipt } from "./orders.receipt-drawing.ts";

answerRequests({ perform: (receipt: Receipt) => drawReceipt(receipt).toBytes(), isWorn: () => false });
