import type { Endpoint } from '@bancone/contract/endpoint'
import type { ErrorCode } from '@bancone/contract/errors'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { endpointKey } from '../lib/endpoint-query.ts'
import { unlessGone } from '../lib/use-action.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { toastSuccess } from './toast.ts'

type ConfirmDialogProps = ComponentProps<typeof ConfirmDialog>

type RemovalDialogProps = Omit<ConfirmDialogProps, 'confirm' | 'confirming' | 'onConfirm'> &
  Partial<Pick<ConfirmDialogProps, 'confirm' | 'confirming'>> & {
    remove: () => Promise<unknown>
    /** The error that says that the item was removed elsewhere already. */
    goneCode: ErrorCode
    /** The endpoint of the list. */
    list: Endpoint
    done: string
    /** Shown below `done`. */
    name?: string
  }

/** Asks before an item of a list is removed for ever. */
export function RemovalDialog(props: RemovalDialogProps) {
  const { remove, goneCode, list, done, name, ...dialog } = props
  const client = useQueryClient()
  const { mutateAsync } = useMutation({ mutationFn: remove })
  return (
    <ConfirmDialog
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      {...dialog}
      onConfirm={async () => {
        await unlessGone(mutateAsync(), goneCode)
        await client.invalidateQueries({ queryKey: endpointKey(list) })
        toastSuccess(done, { ...(name !== undefined && { description: name }) })
      }}
    />
  )
}
