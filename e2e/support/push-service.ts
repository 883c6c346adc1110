import { z } from 'zod'
import { startProgram, until } from './process.ts'

const Device = z.object({
  id: z.string(),
  subscription: z.object({
    endpoint: z.string(),
    keys: z.object({ p256dh: z.string(), auth: z.string() }),
  }),
})
const State = z.object({ messages: z.array(z.object({ text: z.string() })) })

export type PushService = {
  url: string
  addDevice(): Promise<z.infer<typeof Device>>
  /** What that device was sent, decrypted, oldest first. */
  messages(id: string): Promise<string[]>
  dispose(): Promise<void>
}

/** The push service of the sandbox as a process of its own. */
export async function startPushService(): Promise<PushService> {
  const program = startProgram(['dist/server/sandbox-push.js'], {})
  await until('the push service to be up', () => program.output().includes('\n'))
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(program.output()))
  return {
    url,
    async addDevice() {
      const reply = await fetch(`${url}/_control/devices`, { method: 'POST', body: '{}' })
      return Device.parse(await reply.json())
    },
    async messages(id) {
      const reply = await fetch(`${url}/_control/devices/${id}`)
      return State.parse(await reply.json()).messages.map(({ text }) => text)
    },
    async dispose() {
      await program.end('SIGTERM')
    },
  }
}
