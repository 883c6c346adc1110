export type AuthMail =
  | { kind: 'recovery'; link: string; validMinutes: number }
  | { kind: 'invite'; link: string; validMinutes: number }
  | { kind: 'signup'; link: string; code: string; validMinutes: number }
  | { kind: 'magiclink'; link: string; code: string; validMinutes: number }
  | { kind: 'email_change_current'; link: string; newEmail: string; validMinutes: number }
  | { kind: 'email_change_new'; link: string; validMinutes: number }
  | { kind: 'reauthentication'; code: string; validMinutes: number }
  | { kind: 'password_changed'; at: Date; recoverLink: string }
  | { kind: 'already_registered'; loginLink: string }
export function writeAuthMail(mail: AuthMail): { subject: string; text: string; html: string } {
  return { subject: mail.kind, text: JSON.stringify(mail), html: '' }
}
