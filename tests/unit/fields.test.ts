import { describe, expect, test } from "vitest";
import { VALIDATION } from "#shared/messages.ts";
import { loginInput, signupInput, verifyCode } from "#shared/schemas/accounts.ts";
import { handOverInput } from "#shared/schemas/board.ts";
import {
  countField,
  emailField,
  optionalText,
  orderAmountField,
  phoneField,
  requiredText,
} from "#shared/schemas/fields.ts";
import { placeOrderInput } from "#shared/schemas/orders.ts";
import { visitOrderInput } from "#shared/schemas/visits.ts";

function messageOf(result: { error?: { issues: { message: string }[] } | undefined }): string | undefined {
  return result.error?.issues[0]?.message;
}

describe("fields", () => {
  test.each(["student@college.example", "A.B+c@iit.ac.in", "  x@y.zz "])(
    "accept %j as an e-mail",
    (email) => {
      expect(emailField.parse(email)).toBe(email.trim().toLowerCase());
    },
  );

  // No PostgreSQL stores the NUL, and nobody sees the mark that reverses what follows it.
  const invisible = ["a\0b@c.dd", "a@c\u202e.dd"];
  test.each([
    ...["", "x", "x@", "@y.zz", "x@y", "a b@c.dd", "x@y.z", null, 5, `${"a".repeat(250)}@b.cc`],
    ...invisible,
  ])("refuse %j as an e-mail with the message of the specification", (email) => {
    expect(messageOf(emailField.safeParse(email))).toBe(VALIDATION.email);
  });

  test.each(["", "123456789", "12345678901", "12345abcde", "+92 98765 43210", "9191987654321", 1234567890])(
    "refuse %j as a phone number with the message of the specification",
    (phone) => {
      expect(messageOf(phoneField.safeParse(phone))).toBe(VALIDATION.phone);
    },
  );

  test.each([
    "+91 98765 43210",
    "+919876543210",
    "919876543210",
    "098765-43210",
    " 98765 43210 ",
    "(+91) 9876543210",
    // Contacts and chats put invisible marks around a number, and dashes that do not break.
    "\u202a+91 98765\u201143210\u202c",
    // Keyboards of Indian languages: Hindi, Tamil, Urdu; and the wide digits of others.
    ...["+९१ ९८७६५ ४३२१०", "௯௮௭௬௫௪௩௨௧௦", "۹۸۷۶۵۴۳۲۱۰", "９８７６５４３２１０"],
  ])("accept %j, as it is copied from elsewhere, as the phone number 9876543210", (phone) => {
    expect(phoneField.parse(phone)).toBe("9876543210");
  });

  test("keep a phone number of ten digits that starts like a prefix", () => {
    expect(phoneField.parse("9198765432")).toBe("9198765432");
  });

  test("strip NUL characters and surrounding spaces from text", () => {
    expect(requiredText("Name").parse("  A\0sha ")).toBe("Asha");
    expect(requiredText("Name").safeParse(" \0 ").success).toBe(false);
  });

  test("strip what would reverse or hide the text beside it, and keep line breaks and the joiners of Indian scripts", () => {
    const name = requiredText("Name");
    expect(name.parse("Priya \u202e\u2067Sharma\u2069")).toBe("Priya Sharma");
    expect(name.parse("Zoe\u0007\u001b[31m\u0085 Bell")).toBe("Zoe[31m Bell");
    expect(optionalText(20).parse("two\tcopies\r\nplease")).toBe("two\tcopies\r\nplease");
    for (const kept of ["അവന്\u200d", "क्\u200cष", "محمد\u200f!", "❤\ufe0f"])
      expect(name.parse(kept)).toBe(kept);
  });

  test.each(["\u200b\u2060", "\u202e", " \u200d\u00a0", "\u0007"])(
    "refuse %j, of which nothing can be seen",
    (text) => {
      expect(messageOf(requiredText("Name").safeParse(text))).toBe("Name is required");
      expect(optionalText(10).parse(text)).toBe("");
    },
  );

  test("strip NUL characters from the key of an order, which no PostgreSQL stores", () => {
    const keys = [placeOrderInput.shape.idempotencyKey, visitOrderInput.shape.idempotencyKey];
    expect(keys.map((key) => key.parse(" a\0b "))).toEqual(["ab", "ab"]);
    expect(keys.map((key) => key.safeParse("\0").success)).toEqual([false, false]);
  });

  test("refuse a name of 201 characters", () => {
    expect(messageOf(requiredText("Name").safeParse("x".repeat(201)))).toBe(
      "must be at most 200 characters long",
    );
  });

  test("read a missing optional text as empty", () => {
    expect(optionalText(10).parse(undefined)).toBe("");
  });

  test.each([0, -1, 1.5, "0", "-1", "1.5", "", "two", null, Number.NaN, 1001])(
    "refuse %j as a count",
    (count) => {
      expect(countField("Number of copies", 1000).safeParse(count).success).toBe(false);
    },
  );

  test("accept a count as a number or as digits", () => {
    expect(countField("Number of copies", 1000).parse("2")).toBe(2);
    expect(countField("Number of copies", 1000).parse(1000)).toBe(1000);
  });

  test("read the digits of Indian keyboards in counts, amounts and codes", () => {
    expect(countField("Number of copies", 1000).parse("१२")).toBe(12);
    expect(orderAmountField.parse("௧௨.௫௦")).toBe(1250);
    expect(verifyCode.parse(" ०१२۳۴۵ ")).toBe("012345");
    const proof = { by: "code", code: "௦௧௨௩" };
    expect(handOverInput.parse({ orderId: "a", proof }).proof).toEqual({ by: "code", code: "0123" });
  });
});

describe("account forms", () => {
  const signup = {
    fullName: "Asha",
    email: "asha@college.example",
    phone: "9876543210",
    password: "correct horse",
    confirmpassword: "correct horse",
  };

  test("refuse two different passwords with the message of the specification", () => {
    expect(messageOf(signupInput.safeParse({ ...signup, confirmpassword: "other" }))).toBe(
      VALIDATION.passwordsDiffer,
    );
  });

  test("do not require the terms box", () => {
    expect(signupInput.safeParse(signup).success).toBe(true);
  });

  test("require a password to log in", () => {
    expect(messageOf(loginInput.safeParse({ email: signup.email, password: "" }))).toBe(
      "Password is required",
    );
  });
});
