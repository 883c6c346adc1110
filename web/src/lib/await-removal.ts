import type { ErrorCode } from '@bancone/contract/errors'
import { hasCode } from './api.ts'

/**
 * Awaits the removal of an item. It is no failure that the item was removed elsewhere already.
 *
 * @param goneCode the error that says so
 */
export async function awaitRemoval(removal: Promise<unknown>, goneCode: ErrorCode): Promise<void> {
  try {
    await removal
  } catch (error) {
    if (!hasCode(error, goneCode)) throw error
  }
}
