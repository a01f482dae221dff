import {
  confirmInput,
  emailInput,
  loginInput,
  otpLoginInput,
  phoneInput,
  resetPasswordInput,
  signupInput,
  verifyAccountInput,
} from "#shared/schemas/accounts.ts";
import { addAddressInput, updateAddressInput } from "#shared/schemas/addresses.ts";
import { idInput, tokenInput } from "#shared/schemas/ids.ts";
import {
  changePasswordInput,
  confirmContactInput,
  mailChoiceInput,
  newEmailInput,
  renameInput,
} from "#shared/schemas/profile.ts";
import {
  addPasskeyInput,
  addTotpInput,
  finishLoginInput,
  passkeyIdInput,
  passkeyLoginInput,
} from "#shared/schemas/second-factors.ts";
import { publicProcedure, recentAuth, router, userProcedure } from "../trpc.ts";
import { addAddress, editAddress, listAddresses, makeDefault, removeAddress } from "./addresses.service.ts";
import { getPendingLogin, login, loginWithOtp, logout, me, requestLoginOtp } from "./login.service.ts";
import { addPasskey, loginWithPasskey, passkeyChallenge, startPasskey } from "./passkeys.service.ts";
import { changePassword, reauthenticate } from "./password.service.ts";
import {
  changeName,
  confirmEmail,
  confirmPhone,
  getMailChoices,
  requestEmailCode,
  requestPhoneCode,
  setMailChoice,
} from "./profile.service.ts";
import { isPasswordLinkValid, requestPasswordLink, resetPassword } from "./recovery.service.ts";
import {
  addTotp,
  cancelLogin,
  finishLogin,
  getSecondFactors,
  newRecoveryCodes,
  removePasskey,
  removeTotp,
  startTotp,
} from "./second-factor.service.ts";
import { endDevice, endOtherDevices, listDevices } from "./sessions.ts";
import { register, resendVerification, verifyAccount } from "./signup.service.ts";

export const accountsRouter = router({
  /** For the contract's getuser, which refuses guests. The storefront calls `me`, which returns null for them. */
  getUser: userProcedure.query(({ ctx }) => ctx.actor.user),
  me: publicProcedure.query(({ ctx }) => me(ctx)),
  register: publicProcedure.input(signupInput).mutation(({ ctx, input }) => register(ctx, input)),
  verify: publicProcedure.input(verifyAccountInput).mutation(({ ctx, input }) => verifyAccount(ctx, input)),
  resendVerification: publicProcedure
    .input(phoneInput)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  login: publicProcedure.input(loginInput).mutation(({ ctx, input }) => login(ctx, input)),
  requestLoginOtp: publicProcedure
    .input(emailInput)
    .mutation(({ ctx, input }) => requestLoginOtp(ctx, input)),
  loginWithOtp: publicProcedure.input(otpLoginInput).mutation(({ ctx, input }) => loginWithOtp(ctx, input)),
  logout: publicProcedure.mutation(({ ctx }) => logout(ctx)),
  pendingLogin: publicProcedure.query(({ ctx }) => getPendingLogin(ctx)),
  finishLogin: publicProcedure.input(finishLoginInput).mutation(({ ctx, input }) => finishLogin(ctx, input)),
  cancelLogin: publicProcedure.mutation(({ ctx }) => cancelLogin(ctx)),
  passkeyChallenge: publicProcedure.mutation(({ ctx }) => passkeyChallenge(ctx)),
  loginWithPasskey: publicProcedure
    .input(passkeyLoginInput)
    .mutation(({ ctx, input }) => loginWithPasskey(ctx, input)),
  /** The next four also serve a pending login that still has to set up a second factor. */
  startTotp: publicProcedure.mutation(({ ctx }) => startTotp(ctx)),
  addTotp: publicProcedure.input(addTotpInput).mutation(({ ctx, input }) => addTotp(ctx, input)),
  startPasskey: publicProcedure.mutation(({ ctx }) => startPasskey(ctx)),
  addPasskey: publicProcedure.input(addPasskeyInput).mutation(({ ctx, input }) => addPasskey(ctx, input)),
  secondFactors: userProcedure.query(({ ctx }) => getSecondFactors(ctx)),
  removeTotp: userProcedure.use(recentAuth).mutation(({ ctx }) => removeTotp(ctx)),
  removePasskey: userProcedure
    .use(recentAuth)
    .input(passkeyIdInput)
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),
  newRecoveryCodes: userProcedure.use(recentAuth).mutation(({ ctx }) => newRecoveryCodes(ctx)),
  confirm: userProcedure.input(confirmInput).mutation(({ ctx, input }) => reauthenticate(ctx, input)),
  requestPasswordLink: publicProcedure
    .input(emailInput)
    .mutation(({ ctx, input }) => requestPasswordLink(ctx, input)),
  isPasswordLinkValid: publicProcedure
    .input(tokenInput)
    .query(({ ctx, input }) => isPasswordLinkValid(ctx, input)),
  resetPassword: publicProcedure
    .input(resetPasswordInput)
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
  rename: userProcedure.input(renameInput).mutation(({ ctx, input }) => changeName(ctx, input)),
  requestPhoneCode: userProcedure
    .input(phoneInput)
    .mutation(({ ctx, input }) => requestPhoneCode(ctx, input)),
  confirmPhone: userProcedure
    .input(confirmContactInput)
    .mutation(({ ctx, input }) => confirmPhone(ctx, input)),
  requestEmailCode: userProcedure
    .input(newEmailInput)
    .mutation(({ ctx, input }) => requestEmailCode(ctx, input)),
  confirmEmail: userProcedure
    .input(confirmContactInput)
    .mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  changePassword: userProcedure
    .input(changePasswordInput)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  mailChoices: userProcedure.query(({ ctx }) => getMailChoices(ctx)),
  chooseMail: userProcedure.input(mailChoiceInput).mutation(({ ctx, input }) => setMailChoice(ctx, input)),
  devices: userProcedure.query(({ ctx }) => listDevices(ctx)),
  endDevice: userProcedure.input(idInput).mutation(({ ctx, input }) => endDevice(ctx, input)),
  endOtherDevices: userProcedure.mutation(({ ctx }) => endOtherDevices(ctx)),
});

export const addressesRouter = router({
  list: userProcedure.query(({ ctx }) => listAddresses(ctx)),
  add: userProcedure.input(addAddressInput).mutation(({ ctx, input }) => addAddress(ctx, input)),
  update: userProcedure.input(updateAddressInput).mutation(({ ctx, input }) => editAddress(ctx, input)),
  remove: userProcedure.input(idInput).mutation(({ ctx, input }) => removeAddress(ctx, input)),
  makeDefault: userProcedure.input(idInput).mutation(({ ctx, input }) => makeDefault(ctx, input)),
});
