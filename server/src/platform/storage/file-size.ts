/** In the protocol a megabyte is 10⁶ bytes, and a mebibyte is 1024² bytes. */
const units: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

/** The bytes of `20MB`, or of a number; undefined when it is not a size. */
export function fileSize(value: number | string): number | undefined {
  const [, number = '', unit = ''] =
    /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]{0,3})\s*$/i.exec(String(value)) ?? []
  const bytes = Math.floor(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN))
  return number !== '' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined
}
