/** What the bars on the slip of an order say: its number, as long as a scanned code has to be to be no key. */
export function slipCode(number: string): string {
  return /^\d+$/.test(number) ? number.padStart(3, '0') : number
}
