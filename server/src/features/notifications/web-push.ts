/** Loaded with the first use: a pharmacy without such a device does not pay for its memory. */
export async function webPush() {
  return (await import('web-push')).default
}
