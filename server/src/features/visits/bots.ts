/** Whether the `User-Agent` is that of a bot. The list of bots is loaded on first use. */
export async function isBot(userAgent: string): Promise<boolean> {
  if (userAgent === '') return true
  const { isbot } = await import('isbot')
  return isbot(userAgent)
}
