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
