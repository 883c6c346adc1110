/** Whether a browser says that it is a program. The list of them is loaded when somebody comes. */
export async function isBot(userAgent: string): Promise<boolean> {
  if (userAgent === '') return true
  const { isbot } = await import('isbot')
  return isbot(userAgent)
}
