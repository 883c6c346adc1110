import type { ErrorCode } from '@bancone/contract/errors'
import { errorMessage } from '../../../lib/messages.ts'
import { unlessGone } from '../../../lib/use-action.ts'
import { toastError } from '../../../ui/toast.ts'
import { watchUserChange } from '../data/watch-user-change.ts'

/**
 * Awaits a removal, which may be sent after the details are closed: a failure is shown as a toast, but not to another
 * user.
 *
 * @param goneCode the error when the item was removed elsewhere already
 * @returns whether the item is gone
 */
export async function awaitRemoval(
  removal: Promise<unknown>,
  goneCode: ErrorCode,
  failure: string,
): Promise<boolean> {
  const user = watchUserChange()
  try {
    await unlessGone(removal, goneCode)
    return true
  } catch (error) {
    if (!user.hasChanged()) toastError(failure, { description: errorMessage(error) })
    return false
  } finally {
    user.stop()
  }
}
