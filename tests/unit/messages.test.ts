import { expect, test } from "vitest";
import { FAILURE, SUCCESS, VALIDATION } from "#shared/messages.ts";

test("success popups have the titles and texts of the specification", () => {
  const popups = Object.values<{ title: string; text?: string }>(SUCCESS);
  expect(popups.map(({ title, text }) => (text ? `${title} (${text})` : title)).sort()).toEqual([
    "Account Created Successfully (Please Verify Your Account)",
    "Account Verified Successfully (Login Now)",
    "Congratulations!!! (Order placed successfully, check your email for order details)",
    "File Uploaded Successfully",
    "Logged in Successfully",
    "Loggedin Successfully",
    "Logout Successfully",
    "OTP Sended Successfully (Enter OTP For Login Your Account)",
    "Thank you for contacting us (Your query has been received successfully)",
    "address Updated! (Your shipping details updated successfully!)",
  ]);
});

test("failures have the texts of the specification", () => {
  expect(FAILURE).toEqual({
    error: "Error",
    upload: "Error Uploading File",
    order: "Something went wrong",
    contact: { title: "Error", text: "Something went wrong" },
    noOtpTarget: "Phone or email not found.",
  });
});

test("field errors have the texts of the specification", () => {
  expect(VALIDATION).toEqual({
    email: "Email address must be a valid address",
    phone: "Phone number should be a 10-digit number",
    passwordsDiffer: "New password and Confirm Password should be the same",
  });
});
