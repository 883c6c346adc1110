import { CircleAlert, CircleCheck, LoaderCircle, UserCheck, UserX } from 'lucide-react'
import { pharmacySession, useSession } from '../../../lib/session.ts'
import { Badge } from '../badge.tsx'
import type { BoardConnection } from './use-board.ts'

const connections = {
  connected: { tone: 'good', icon: CircleCheck, text: 'Connesso' },
  error: { tone: 'poor', icon: CircleAlert, text: 'Errore' },
  connecting: { tone: 'waiting', icon: LoaderCircle, text: 'Connessione...' },
} as const

/** Whether the board can be read, and whether its user is signed in. */
export function ConnectionBadges({ connection }: { connection: BoardConnection }) {
  const session = useSession(pharmacySession)
  const { tone, icon, text } = connections[connection]
  const isSignedIn = session.status === 'signed-in'
  return (
    <div role="status" aria-label="Connessione" className="flex flex-wrap gap-2">
      <Badge tone={tone} icon={icon}>
        {text}
      </Badge>
      <Badge tone={isSignedIn ? 'good' : 'poor'} icon={isSignedIn ? UserCheck : UserX}>
        {isSignedIn ? 'Autenticato' : 'Non autenticato'}
      </Badge>
    </div>
  )
}
