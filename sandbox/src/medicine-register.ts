import { createServer, type ServerResponse } from 'node:http'
import { type ListenOptions, listen } from './listening.ts'
import { registerText } from './medicine-register/register-text.ts'
import { registeredPacks } from './medicine-register/registered-packs.ts'

/**
 * How the register answers. `cut`: the connection ends in the middle. `page`: HTML instead of the file. `endless`: it
 * never ends.
 */
export type RegisterMode = 'ok' | 'status' | 'silent' | 'cut' | 'page' | 'endless'

export type MedicineRegisterSandbox = {
  url: string
  /** Replaces the file. */
  serve(file: string | Uint8Array): void
  fail(mode: RegisterMode): void
  close(): Promise<void>
}

/** A stand-in for AIFA's list of packs, in its format. */
export async function startMedicineRegister(
  place: ListenOptions = {},
): Promise<MedicineRegisterSandbox> {
  let file: string | Uint8Array = registerText(registeredPacks)
  let mode: RegisterMode = 'ok'
  const server = createServer((_request, response) => answer(response, mode, file))
  const { origin, close } = await listen(server, place)
  return {
    url: `${origin}/farmaci/confezioni_fornitura.csv`,
    serve(next) {
      file = next
    },
    fail(next) {
      mode = next
    },
    close,
  }
}

function answer(response: ServerResponse, mode: RegisterMode, file: string | Uint8Array): void {
  if (mode === 'silent') return
  if (mode === 'status') response.writeHead(503).end()
  else if (mode === 'page') response.writeHead(200).end('<p>Manutenzione in corso</p>')
  else if (mode === 'cut') {
    response.writeHead(200, { 'content-length': 100_000 }).write(file)
    setTimeout(() => response.destroy(), 50)
  } else if (mode === 'endless') {
    const write = () => {
      while (!response.destroyed && response.write(`${'x'.repeat(1_000)}\n`)) continue
    }
    response.writeHead(200).on('drain', write)
    write()
  } else response.writeHead(200, { 'content-type': 'text/csv' }).end(file)
}
