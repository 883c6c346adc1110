type Metadata = Record<string, unknown>

/** What is given is added to what is there; null takes a value away. */
export function mergedMetadata(kept: unknown, given: Metadata): Metadata {
  const merged = { ...(typeof kept === 'object' && kept !== null ? kept : {}), ...given }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** What is kept of how somebody signs in who has an address. */
export const byEmail = { provider: 'email', providers: ['email'] } as const
