import { StorageError } from './storage-error.ts'

/** The authenticated caller: a signed-in user, or another server with the admin key (`userId` null). */
export type Principal = {
  userId: string | null
  /** May administer buckets and access every object. */
  isAdmin: boolean
  /** The top-level folder that the caller may access, in every bucket; null for none. */
  folder: string | null
}

/**
 * Authenticates a token. The application provides it, because it decides who has which folder.
 *
 * @returns undefined for an invalid or expired token
 */
export type Authorize = (token: string) => Promise<Principal | undefined>

/** Whether the caller may access an object of that name, existing or not. */
export function canAccess(principal: Principal | undefined, name: string): boolean {
  if (!principal) return false
  return principal.isAdmin || (principal.folder !== null && name.startsWith(`${principal.folder}/`))
}

/** Whether the caller may see the list of buckets. */
export function canListBuckets(principal: Principal | undefined): principal is Principal {
  return principal !== undefined && (principal.isAdmin || principal.folder !== null)
}

/** @throws StorageError `AccessDenied`, for existing and missing objects alike */
export function requireAccess(
  principal: Principal | undefined,
  name: string,
): asserts principal is Principal {
  if (!canAccess(principal, name)) throw new StorageError('AccessDenied')
}

/** @throws StorageError `AccessDenied` */
export function requireAdmin(principal: Principal | undefined): asserts principal is Principal {
  if (!principal?.isAdmin) throw new StorageError('AccessDenied')
}
