import { type ApiKey, listApiKeys, revokeApiKey } from '@bancone/contract/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type RevokeDialogProps = { apiKey: ApiKey; onClose: () => void; onReturnFocus: () => void }

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'api_keys.not_found'
}

/** Asks before a key is revoked, which cannot be undone. */
export function RevokeDialog({ apiKey, onClose, onReturnFocus }: RevokeDialogProps) {
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useEndpointMutation(revokeApiKey)

  async function revoke() {
    try {
      await mutateAsync({ params: { keyId: apiKey.id } })
    } catch (reason) {
      // The key has been revoked elsewhere already.
      if (!isGone(reason)) return
    }
    await client.invalidateQueries({ queryKey: endpointKey(listApiKeys) })
    toastSuccess('Chiave revocata')
    onClose()
  }

  const footer = (
    <>
      <Button onClick={onClose}>Annulla</Button>
      <Button look="danger" inactive={isPending} onClick={() => void revoke()}>
        {isPending ? 'Revoca in corso…' : 'Revoca'}
      </Button>
    </>
  )
  return (
    <Dialog
      title={`Revocare la chiave «${apiKey.name}»?`}
      text="Il programma che la usa non potrà più inviare ordini. Non si può annullare: per ricominciare serve una chiave nuova."
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      {error && !isGone(error) ? <Alert tone="error">{errorMessage(error)}</Alert> : null}
    </Dialog>
  )
}
