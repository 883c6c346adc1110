/** Errors for which the server sends a fixed text of the protocol, and users read another one. */
export const fixedErrors = {
  'session.missing': {
    sent: 'No active session',
    shown: 'La sessione è scaduta. Accedi di nuovo.',
  },
  'session.unknown_user': {
    sent: 'User not authenticated',
    shown: 'Il tuo account è stato chiuso. Se è un errore, chiedi a chi ti ha dato accesso.',
  },
  'pharmacy.not_found': {
    sent: 'Could not find pharmacy information',
    shown: 'A questo accesso non corrisponde nessuna farmacia.',
  },
} as const
