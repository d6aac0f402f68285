/** The thread that stores additions, in order, each whole. After the first that fails it stores none. */
import { workerData } from 'node:worker_threads';
import { giveWay } from '../../thread/give-way.ts';
import { openIndexToAdd } from '../index-file.ts';
import { IndexStore } from '../index-store.ts';
import { DONE, FAILED, type PackedAddition, type StorerData, type StoringFault, unpack } from './messages.ts';

const { folder, state, port } = workerData as StorerData;
let store: IndexStore | null = null;
let hasFailed = false;

giveWay();

port.on('message', (addition: PackedAddition) => {
  if (!hasFailed) storeOrFail(addition);
  Atomics.add(state, DONE, 1);
  Atomics.notify(state, DONE);
});

function storeOrFail(addition: PackedAddition): void {
  try {
    store ??= new IndexStore(openIndexToAdd(folder));
    store.add(addition.seq, unpack(addition));
  } catch (error) {
    hasFailed = true;
    const { message, errcode, code } = error as StoringFault;
    port.postMessage({
      message,
      ...(errcode !== undefined && { errcode }),
      ...(code !== undefined && { code }),
    } satisfies StoringFault);
    Atomics.store(state, FAILED, 1);
  }
}
