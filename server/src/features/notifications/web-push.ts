/** Loaded on first use, to save memory where no device is subscribed. */
export async function webPush() {
  return (await import('web-push')).default
}
