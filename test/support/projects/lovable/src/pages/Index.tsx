import { Link } from "react-router-dom";
import { Leaf } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { Label } from "@/components/ui/label";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { useTasks } from "@/hooks/use-tasks";

const Index = () => {
  const { tasks, toggle } = useTasks();
  return (
    <div className="container animate-fade-up space-y-6 py-10">
      <header className="flex items-center gap-3">
        <img src="/placeholder.svg" alt="logo" className="h-8 w-8" />
        <h1 className="text-3xl font-bold">{import.meta.env.VITE_GREETING}</h1>
        <Tooltip>
          <TooltipTrigger asChild>
            <Leaf className="text-primary" />
          </TooltipTrigger>
          <TooltipContent>Grows slowly</TooltipContent>
        </Tooltip>
      </header>
      <Tabs defaultValue="open">
        <TabsList>
          <TabsTrigger value="open">Open</TabsTrigger>
          <TabsTrigger value="done">Done</TabsTrigger>
        </TabsList>
        {(["open", "done"] as const).map((tab) => (
          <TabsContent key={tab} value={tab} className="space-y-2">
            {tasks
              .filter(({ done }) => done === (tab === "done"))
              .map(({ id, text, done }) => (
                <div key={id} className="flex items-center gap-2">
                  <Checkbox id={`task-${id}`} checked={done} onCheckedChange={() => toggle(id)} />
                  <Label htmlFor={`task-${id}`}>{text}</Label>
                </div>
              ))}
          </TabsContent>
        ))}
      </Tabs>
      <Dialog>
        <DialogTrigger asChild>
          <Button>Help</Button>
        </DialogTrigger>
        <DialogContent>
          <DialogTitle>Help</DialogTitle>
          <DialogDescription className="prose">Tick what is done.</DialogDescription>
        </DialogContent>
      </Dialog>
      <Link to="/about" className="text-muted-foreground underline">
        About
      </Link>
    </div>
  );
};

export default Index;
