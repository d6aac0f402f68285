/** What a program finds in a sandbox, whatever engine it runs on. */
export const USER = { name: 'u', id: 1000, home: '/home/u' } as const;
export const HOST_NAME = 'airlock';

/** Where the folders of the host are. */
export const FOLDER_TARGETS = { project: '/work/project', scratch: '/work/scratch' } as const;

/** Where a shell puts what a person may publish. */
export const OUT_FOLDER = '/out';

/** The working directory of a worker. Nothing can be written in it but the files bound there. */
export const WORKER_DIRECTORY = '/work';
