"use client"

import { useState } from "react"
import { Check, Sparkles } from "lucide-react"
import { Button } from "@/components/ui/button"
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card"
import { cn } from "@/lib/utils"

const plans = [
  { name: "Starter", monthly: 0, features: ["1 project", "Community support"] },
  { name: "Team", monthly: 29, features: ["20 projects", "Email support", "Shared workspaces"], popular: true },
  { name: "Business", monthly: 99, features: ["Unlimited projects", "Phone support", "Audit log"] },
]

export default function Page() {
  const [yearly, setYearly] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)

  return (
    <main className="min-h-screen bg-slate-50 px-6 py-16">
      <h1 className="text-center text-4xl font-bold tracking-tight text-slate-900">Pricing</h1>
      <div className="mt-6 flex justify-center gap-2">
        <Button variant={yearly ? "outline" : "default"} onClick={() => setYearly(false)}>
          Monthly
        </Button>
        <Button variant={yearly ? "default" : "outline"} onClick={() => setYearly(true)}>
          Yearly
        </Button>
      </div>
      <section className="mx-auto mt-10 grid max-w-5xl gap-6 md:grid-cols-3">
        {plans.map((plan) => (
          <Card key={plan.name} className={cn(plan.popular && "border-indigo-500 ring-2 ring-indigo-200")}>
            <CardHeader>
              <CardTitle className="flex items-center gap-2">
                {plan.name}
                {plan.popular && <Sparkles className="size-4 text-indigo-500" aria-label="popular" />}
              </CardTitle>
            </CardHeader>
            <CardContent>
              <p className="text-3xl font-semibold" data-testid={`price-${plan.name}`}>
                ${yearly ? plan.monthly * 10 : plan.monthly}
              </p>
              <ul className="mt-4 space-y-2">
                {plan.features.map((feature) => (
                  <li key={feature} className="flex items-center gap-2 text-sm text-slate-600">
                    <Check className="size-4 text-emerald-600" /> {feature}
                  </li>
                ))}
              </ul>
            </CardContent>
            <CardFooter>
              <Button className="w-full" onClick={() => setChosen(plan.name)}>
                {chosen === plan.name ? "Chosen" : "Choose"}
              </Button>
            </CardFooter>
          </Card>
        ))}
      </section>
    </main>
  )
}
