import { create } from "zustand";

export interface Task {
  id: number;
  text: string;
  done: boolean;
}

interface Tasks {
  tasks: Task[];
  toggle: (id: number) => void;
}

export const useTasks = create<Tasks>((set) => ({
  tasks: [
    { id: 1, text: "Water the plants", done: false },
    { id: 2, text: "Plant tulips", done: true },
  ],
  toggle: (id) =>
    set(({ tasks }) => ({ tasks: tasks.map((task) => (task.id === id ? { ...task, done: !task.done } : task)) })),
}));
