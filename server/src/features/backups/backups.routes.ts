import {
  confirmRecoverySheet,
  getBackups,
  getRecoverySheet,
  startBackup,
} from '@bancone/contract/backups'
import type { Serve, ServeFile } from '../../http/serve.ts'
import type { Backups } from './backups.service.ts'

export function backupRoutes(serve: Serve, serveFile: ServeFile, backups: Backups) {
  serve(getBackups, () => backups.status())

  serve(startBackup, ({ body }) => backups.start(body.kind))

  serveFile(getRecoverySheet, (_input, { sessionId }) => backups.sheet(sessionId))

  serve(confirmRecoverySheet, ({ body }, { userId }) => backups.confirm(body.ending, userId))
}
