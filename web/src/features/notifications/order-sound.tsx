import { Volume2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useOrderSound } from './use-order-sound.ts'

/** The sound of unseen orders, with a button where the browser blocks it. */
export function OrderSound({ unseen }: { unseen: number }) {
  const { blocked, unblock } = useOrderSound({ unseen })
  return (
    <div role="status" className="fixed bottom-4 left-4 z-30 print:hidden">
      {blocked ? (
        <Button look="primary" className="shadow-float" onClick={unblock}>
          <Volume2 aria-hidden />
          Tocca per attivare il suono
        </Button>
      ) : null}
    </div>
  )
}
