import { type ApiKey, listApiKeys, revokeApiKey } from '@bancone/contract/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type RevokeDialogProps = { apiKey: ApiKey; onClose: () => void; onReturnFocus: () => void }

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'api_keys.not_found'
}

/** Revokes a key. */
export function RevokeDialog({ apiKey, onClose, onReturnFocus }: RevokeDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(revokeApiKey)

  async function revoke() {
    try {
      await mutateAsync({ params: { keyId: apiKey.id } })
    } catch (reason) {
      // The key has been revoked elsewhere already.
      if (!isGone(reason)) throw reason
    }
    await client.invalidateQueries({ queryKey: endpointKey(listApiKeys) })
    toastSuccess('Chiave revocata')
  }

  return (
    <ConfirmDialog
      title={`Revocare la chiave «${apiKey.name}»?`}
      text="Il programma che la usa non potrà più inviare ordini. Non si può annullare: per ricominciare serve una chiave nuova."
      confirm="Revoca"
      confirming="Revoca in corso…"
      onConfirm={revoke}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
