import type { BackupProblem } from '@bancone/contract/backups'
import { KindError } from '../../ports/kind-error.ts'

/**
 * A back-up, its test or a restore failed. `message` is a sentence for the operator, without secrets and personal data;
 * `kind` is what the administration page shows.
 */
export class BackupError extends KindError<BackupProblem> {
  override readonly name = 'BackupError'
}

/** Of a part that the rest does not depend on. @throws any other error */
export function undefinedIfDamaged(error: unknown): undefined {
  if (error instanceof BackupError && error.kind === 'damaged') return undefined
  throw error
}
