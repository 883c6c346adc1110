import type { BackupProblem } from '@bancone/contract/backups'

/**
 * A back-up, its test or a restore failed. `message` is a sentence for the operator, without secrets and personal data;
 * `kind` is what the administration page shows.
 */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly kind: BackupProblem

  constructor(kind: BackupProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Of a part that the rest does not depend on. @throws any other error */
export function undefinedIfDamaged(error: unknown): undefined {
  if (error instanceof BackupError && error.kind === 'damaged') return undefined
  throw error
}
