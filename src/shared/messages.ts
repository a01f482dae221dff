/** The texts that the specification gives: validation messages and popups. Do not change them. */
export const VALIDATION = {
  email: "Email address must be a valid address",
  phone: "Phone number should be a 10-digit number",
  passwordsDiffer: "New password and Confirm Password should be the same",
} as const;

export interface Popup {
  title: string;
  text?: string;
}

export const SUCCESS = {
  loggedIn: { title: "Loggedin Successfully" },
  loggedInByOtp: { title: "Logged in Successfully" },
  otpSent: { title: "OTP Sended Successfully", text: "Enter OTP For Login Your Account" },
  accountCreated: { title: "Account Created Successfully", text: "Please Verify Your Account" },
  accountVerified: { title: "Account Verified Successfully", text: "Login Now" },
  fileUploaded: { title: "File Uploaded Successfully" },
  addressUpdated: { title: "address Updated!", text: "Your shipping details updated successfully!" },
  orderPlaced: {
    title: "Congratulations!!!",
    text: "Order placed successfully, check your email for order details",
  },
  contactSent: { title: "Thank you for contacting us", text: "Your query has been received successfully" },
  loggedOut: { title: "Logout Successfully" },
} as const satisfies Record<string, Popup>;

export const FAILURE = {
  error: "Error",
  upload: "Error Uploading File",
  order: "Something went wrong",
  contact: { title: "Error", text: "Something went wrong" },
  noOtpTarget: "Phone or email not found.",
} as const;
